"""Actuators, with the laws that have names of their own."""
from __future__ import annotations

import math

from .elements import MjsElement
from .fields import ENUMS, give_fields

_TYPES, _GAIN, _BIAS, _DYN = (ENUMS[name] for name in ("mjtActuator", "mjtGain", "mjtBias", "mjtDyn"))
_POS, _VEL, _PRESSURE, _VOLTAGE = (int(ENUMS["mjtCtrlInput"][f"mjINPUT_{name}"]) for name in ("POS", "VEL", "PRESSURE", "VOLTAGE"))
_MUSCLE = (0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2)
_MUSCLE_TIMES = (0.01, 0.04, 0.0)


class MjsActuator(MjsElement):
    """An actuator. The laws: MuJoCo's modeling chapter, "Actuator shortcuts"."""

    KIND = "actuator"

    def _law(self, kind: str, gain=(1.0,), bias=(), dyn=(1.0,), types=("FIXED", "NONE", "NONE"), inputs: int = 0) -> None:
        values = self._values
        for name, numbers in (("gainprm", gain), ("biasprm", bias), ("dynprm", dyn)):
            values[name][:] = 0
            values[name][:len(numbers)] = numbers
        values.update(type=int(_TYPES[f"mjACTUATOR_{kind}"]), gaintype=int(_GAIN[f"mjGAIN_{types[0]}"]), biastype=int(_BIAS[f"mjBIAS_{types[1]}"]),
                      dyntype=int(_DYN[f"mjDYN_{types[2]}"]), ctrlspec=int(inputs))

    def _servo(self, kp: float, kv: float, dampratio: float) -> tuple[float, float, float]:
        """Bias of a servo: the third number is minus kv, or a damping ratio, which the compiler resolves."""
        if kv >= 0 and dampratio >= 0:
            raise ValueError("kv and dampratio cannot both be defined")
        return 0.0, -kp, dampratio if dampratio >= 0 else -kv if kv >= 0 else self._values["biasprm"][2]

    def set_to_motor(self) -> None:
        """A force."""
        self._law("MOTOR")

    def set_to_position(self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: float = False) -> None:
        """A position servo."""
        filtered = timeconst > 0
        self._law("POSITION", (kp,), self._servo(kp, kv, dampratio), (timeconst if filtered else 1.0,), ("FIXED", "AFFINE", "FILTEREXACT" if filtered else "NONE"), _POS)
        self._values["inheritrange"] = float(inheritrange)

    def set_to_intvelocity(self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: float = False) -> None:
        """A servo whose target is the integral of the control."""
        self._law("INTVELOCITY", (kp,), self._servo(kp, kv, dampratio), (timeconst if timeconst >= 0 else 1.0,), ("FIXED", "AFFINE", "INTEGRATOR"), _VEL)
        self._values["inheritrange"] = float(inheritrange)

    def set_to_velocity(self, kv: float) -> None:
        """A velocity servo."""
        self._law("VELOCITY", (kv,), (0.0, 0.0, -kv), types=("FIXED", "AFFINE", "NONE"), inputs=_VEL)

    def set_to_orientation(self, kp: float, kv: float = -1, dampratio: float = -1, ctrlspec: int = 0) -> None:
        """A servo of orientations."""
        self._law("ORIENTATION", (kp,), self._servo(kp, kv, dampratio), types=("SO3", "SO3", "NONE"), inputs=ctrlspec)

    def set_to_pid(self, kp: float, kv: float = -1, dampratio: float = -1, ki: float = -1, imax: float = -1, slewmax: float = -1, inheritrange: float = 0,
                   ctrlspec: int = 0) -> None:
        """A PID servo."""
        kept = ki > 0 or slewmax > 0
        self._law("PID", (max(ki, 0.0),), self._servo(kp, kv, dampratio), (max(imax, 0.0) if ki > 0 else 0.0, max(slewmax, 0.0)),
                  ("PID", "AFFINE", "PID" if kept else "NONE"), ctrlspec)
        self._values["inheritrange"] = float(inheritrange)

    def set_to_damper(self, kv: float) -> None:
        """A damper, whose damping is the control."""
        if kv < 0:
            raise ValueError("damping coefficient cannot be negative")
        self._law("DAMPER", (0.0, 0.0, -kv), types=("AFFINE", "NONE", "NONE"))
        self._values["ctrllimited"] = 1

    def set_to_cylinder(self, timeconst: float, bias: float, area: float, diameter: float = -1) -> None:
        """A pneumatic or hydraulic cylinder."""
        self._law("CYLINDER", (math.pi / 4 * diameter * diameter if diameter >= 0 else area,), (bias,), (timeconst,), ("FIXED", "AFFINE", "FILTER"), _PRESSURE)

    def set_to_muscle(self, timeconst=(-1.0, -1.0), tausmooth: float = 0.0, range=(-1.0, -1.0), force: float = -1, scale: float = -1, lmin: float = -1, lmax: float = -1,
                      vmax: float = -1, fpmax: float = -1, fvmax: float = -1) -> None:
        """A muscle. What is negative stays as it is."""
        if tausmooth < 0:
            raise ValueError("muscle tausmooth cannot be negative")
        fresh = self._values["gaintype"] != int(_GAIN.mjGAIN_MUSCLE)
        gain = list(_MUSCLE if fresh else self._values["gainprm"][:9])
        times = list(_MUSCLE_TIMES if fresh else self._values["dynprm"][:3])
        for target, numbers in ((gain, (*range, force, scale, lmin, lmax, vmax, fpmax, fvmax)), (times, timeconst)):
            for k, value in enumerate(numbers):
                target[k] = value if value >= 0 else target[k]
        times[2] = tausmooth
        self._law("MUSCLE", gain, gain, times, ("MUSCLE", "MUSCLE", "MUSCLE"))

    def set_to_adhesion(self, gain: float) -> None:
        """An adhesive force."""
        if gain < 0:
            raise ValueError("adhesion gain cannot be negative")
        self._law("ADHESION", (gain,))
        self._values["ctrllimited"] = 1

    def set_to_dcmotor(self, motorconst=(0.0, 0.0), resistance: float = 0.0, nominal=(0.0, 0.0, 0.0), saturation=(0.0, 0.0, 0.0), inductance=(0.0, 0.0),
                       cogging=(0.0, 0.0, 0.0), controller=(0.0,) * 6, thermal=(0.0,) * 6, lugre=(0.0,) * 5, ctrlspec: int = 0) -> None:
        """A DC motor, by the same rules as the element dcmotor."""
        from .dcmotors import settings  # late: reads the language's table

        law = settings(motorconst=motorconst, resistance=resistance, nominal=nominal, saturation=saturation, inductance=inductance, cogging=cogging, controller=controller,
                       thermal=thermal, lugre=lugre)
        self._law("DCMOTOR", law.gainprm, law.biasprm, law.dynprm, ("DCMOTOR", "DCMOTOR", "DCMOTOR"), ctrlspec or _VOLTAGE)


give_fields(MjsActuator, "actuator")

"""What the Physics panel offers: options, flags and the contact override, with ranges for their editors."""
import math
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType

from physics.enums import Cone, DisableBit, EnableBit, Integrator, Jacobian, Solver

POSITIVE = 1e-12


@dataclass(frozen=True, slots=True)
class Number:
    """One number, or the components of a vector, of m.opt."""

    name: str
    title: str
    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    size: int = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """One option that is one of a few."""

    name: str
    title: str
    values: type[IntEnum]


@dataclass(frozen=True, slots=True)
class Slider:
    """One component of the contact override, on a slider."""

    name: str
    index: int | None
    title: str
    low: float
    high: float
    start: float   # the format's default
    log: bool = False


CHOICES = (Choice("integrator", "Integrator", Integrator), Choice("cone", "Cone", Cone), Choice("jacobian", "Jacobian", Jacobian), Choice("solver", "Solver", Solver))
ALGORITHMIC = (
    Number("timestep", "Time step [s]", POSITIVE, 1.0), Number("iterations", "Iterations", 0, 1000, True), Number("tolerance", "Tolerance", 0.0, 1.0),
    Number("ls_iterations", "Line search iterations", 0, 100, True), Number("ls_tolerance", "Line search tolerance", 0.0, 1.0),
    Number("noslip_iterations", "No-slip iterations", 0, 1000, True), Number("noslip_tolerance", "No-slip tolerance", 0.0, 1.0),
    Number("ccd_iterations", "CCD iterations", 0, 1000, True), Number("ccd_tolerance", "CCD tolerance", 0.0, 1.0), Number("sleep_tolerance", "Sleep tolerance", 0.0, 1.0),
    Number("sdf_iterations", "SDF iterations", 1, 20, True), Number("sdf_initpoints", "SDF start points", 1, 100, True),
)
PHYSICAL = (
    Number("gravity", "Gravity [m/s\u00b2]", size=3), Number("wind", "Wind [m/s]", size=3), Number("magnetic", "Magnetic flux", size=3),
    Number("density", "Density [kg/m\u00b3]", 0.0), Number("viscosity", "Viscosity [Pa s]", 0.0), Number("impratio", "Impedance ratio", POSITIVE),
)
NO_EFFECT = ("NATIVECCD",)   # tests/oracle/test_flags.py says why
FLAG_NOTES = MappingProxyType({   # what holds in this window, beside the language's own words
    "AUTORESET": "For steps taken by scripts and commands. In the window a run that diverges pauses at its last good state, or starts over: Simulation menu.",
    "NATIVECCD": "Changes nothing here: convex pairs meet by the built-in method in any case, with all their points unless multiccd is off.",
    "IPC": "Barrier contacts are not there yet: it is refused.", "SPECULATIVE": "Speculative contacts are not there yet: it is refused.",
})
FLAG_WORDS = (("disable", "Disable", DisableBit), ("enable", "Enable", EnableBit))
OVERRIDE = (
    Slider("o_margin", None, "margin [m]", 0.0, 0.1, 0.0),
    Slider("o_solref", 0, "solref time constant", 0.001, 1.0, 0.02, log=True), Slider("o_solref", 1, "solref damping ratio", 0.01, 10.0, 1.0, log=True),
    Slider("o_solimp", 0, "solimp d0", 0.0, 0.9999, 0.9), Slider("o_solimp", 1, "solimp dwidth", 0.0, 0.9999, 0.95), Slider("o_solimp", 2, "solimp width [m]", 0.0, 0.1, 0.001),
    Slider("o_solimp", 3, "solimp midpoint", 0.0, 1.0, 0.5), Slider("o_solimp", 4, "solimp power", 1.0, 6.0, 2.0, log=True),
    Slider("o_friction", 0, "friction slide 1", 0.0, 3.0, 1.0), Slider("o_friction", 1, "friction slide 2", 0.0, 3.0, 1.0),
    Slider("o_friction", 2, "friction spin", 0.0, 0.1, 0.005),
    Slider("o_friction", 3, "friction roll 1", 0.0, 0.02, 0.0001), Slider("o_friction", 4, "friction roll 2", 0.0, 0.02, 0.0001),
)
ACTUATOR_GROUPS = 6

"""What the Physics panel offers: options, flags and the contact override, with ranges for their editors."""
import math
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType

from physics.enums import Cone, DisableBit, EnableBit, Engine, Integrator, Jacobian, Solver
from physics.fields.hard_options import HARD_OPTIONS

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


CHOICES = (Choice("engine", "Engine", Engine), Choice("integrator", "Integrator", Integrator), Choice("cone", "Cone", Cone), Choice("jacobian", "Jacobian", Jacobian), Choice("solver", "Solver", Solver))
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
HARD_TITLES = MappingProxyType({"hard_rtol": "Residual [N s]", "hard_ktol": "Complementarity [J]", "hard_iterations": "Iterations", "hard_looks": "Second looks", "hard_halvings": "Halvings"})
HARD = tuple(Number(row.name, HARD_TITLES[row.name], row.low, row.high, row.whole) for row in HARD_OPTIONS if row.name in HARD_TITLES)
DOCS = MappingProxyType({"engine": "What moves the model: soft, MuJoCo's convex constraints that yield, or hard, exact contacts and friction cones by an interior-point method"}
                        | {row.name: row.doc for row in HARD_OPTIONS})
ONLY_HARD = "Only the hard engine has it: see Engine, above"
_NO_SOFT_SOLVER, _NO_YIELDING = "The hard engine has a solver of its own", "The hard engine's constraints do not yield"
# options and flags without a meaning to the hard engine: why
NOT_HARD = MappingProxyType({
    "integrator": "The hard engine has one integrator, the variational midpoint rule", "cone": "The hard engine's friction cones are exact", "jacobian": _NO_SOFT_SOLVER,
    **dict.fromkeys(("solver", "iterations", "tolerance", "ls_iterations", "ls_tolerance"), _NO_SOFT_SOLVER), "impratio": _NO_YIELDING,
    **dict.fromkeys(("noslip_iterations", "noslip_tolerance"), "Contacts that stick do not slip under the hard engine"), "sleep_tolerance": "Nothing sleeps under the hard engine",
    **dict.fromkeys(("o_margin", "o_solref", "o_solimp"), _NO_YIELDING),
})
FLAGS_NOT_HARD = MappingProxyType({
    "REFSAFE": _NO_YIELDING, "EULERDAMP": NOT_HARD["integrator"], "WARMSTART": "A step of the hard engine depends on its state alone", "DIAGEXACT": _NO_SOFT_SOLVER,
    **dict.fromkeys(("FWDINV", "INVDISCRETE"), "Inverse dynamics is the soft engine's"),
})
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

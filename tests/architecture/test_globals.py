"""Modules hold no state: what stands at their top level cannot be changed."""
import ast

from tests.architecture.sources import refuse, sources

MAKERS = {"list", "dict", "set", "defaultdict", "deque", "OrderedDict", "Counter", "bytearray", "WeakValueDictionary", "WeakKeyDictionary"}
ARRAYS = {"array", "zeros", "ones", "empty", "full", "eye", "arange", "linspace", "asarray"}
EXCEPTIONS = {
    "physics/kernels/decorators.py:KERNELS": "the registry of kernels",
    "physics/kernels/decorators.py:HELPERS": "the registry of helpers",
    "physics/kernels/lower.py:_dispatchers": "compiled helpers of one compile worker",
    "physics/kernels/load.py:_engines": "machine code must outlive every thread that may be inside it",
    "physics/kernels/load.py:_gatherings": "what is being compiled, for who waits for some of it",
    "physics/kernels/load.py:_ensured": "what was found to be there, so that asking again takes no time",
}


def _mutable(node) -> bool:
    if isinstance(node, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp):
        return True
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name in MAKERS or name in ARRAYS and isinstance(node.func, ast.Attribute)
    return False


def _found() -> set[str]:
    out = set()
    for s in sources():
        for node in s.tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) and node.value else []
            for t in targets:
                if isinstance(t, ast.Name) and t.id != "__all__" and _mutable(node.value):
                    out.add(f"{s.path}:{t.id}")
    return out


def test_no_mutable_module_globals():
    refuse(_found() - set(EXCEPTIONS))


def test_exceptions_are_still_needed():
    refuse(set(EXCEPTIONS) - _found())


def test_no_function_rebinds_a_module_global():
    wrong = [f"{s.path}:{n.lineno}" for s in sources() for n in s.nodes if isinstance(n, ast.Global)]
    refuse(wrong)


def test_no_mutable_default_arguments():
    wrong = []
    for s in sources():
        for node in s.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                wrong += [f"{s.path}:{node.lineno}" for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None and _mutable(d)]
    refuse(wrong)

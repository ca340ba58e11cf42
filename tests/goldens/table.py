"""Every case, in the order of the index. Another file of cases is one more name here."""
from importlib import import_module

FILES = ('shapes', 'switches', 'surfaces', 'lights', 'scenes', 'quantities', 'ours', 'physical')
CASES = tuple(case for name in FILES for case in import_module(f'tests.goldens.cases.{name}').CASES)

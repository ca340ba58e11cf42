#!/usr/bin/env bash
# Runs the tests; brings its own virtual display and software GL where there is none.
#   ./test.sh [pytest arguments]     the default set, with an empty kernel cache
#   ./test.sh --warm [arguments]     the same with the user's kernel cache
#   ./test.sh --long NAME            one of the long proofs (tests/long/NAME.py); writes JSON
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
cd "$root"
. "$root/scripts/environment.sh"
unset PYTHONDONTWRITEBYTECODE       # tests start hundreds of processes, each of which would read the program's text anew
export OPENBLAS_NUM_THREADS=1 LP_NUM_THREADS=1      # of linear algebra and software GL: the workers have the cores

warm=no long=""
while [ $# -gt 0 ]; do
  case $1 in
    --warm) warm=yes; shift ;;
    --long) long=${2:?--long needs the name of a proof}; shift 2; break ;;
    *) break ;;
  esac
done

if [ "$warm" = no ]; then
  LINKWORK_CACHE=$(mktemp -d)
  export LINKWORK_CACHE
  trap 'rm -rf "$LINKWORK_CACHE"' EXIT
fi
kernels="import physics; physics.ensure_kernels()"

ready_system app test
if [ $# = 0 ]; then     # all tests
  kernels="$kernels; physics.ensure_hard()"
  nice "${PYTHON:-python3}" -m compileall -q physics render editor app linkwork tests >/dev/null 2>&1 &     # bytecode, once for all workers, while pip downloads
fi
ready_python "[test]" "$kernels"
finish_system

display=()
if [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  display=(env -u WAYLAND_DISPLAY QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1600x1000x24 +extension GLX")
fi

if [ -n "$long" ]; then
  "${display[@]}" "$py" -m "tests.long.$long" "$@"
  exit
fi

echo "Compiling kernels"
[ -z "$kernels_job" ] || wait "$kernels_job" || true
"$py" -c "$kernels"
if [ $# -gt 0 ]; then
  "${display[@]}" "$py" -m pytest -q "$@"
  exit
fi
windows="tests/app tests/editor tests/journeys tests/linkwork"   # two windows on one display would take the focus from each other
browser=tests/app/inputs/test_browser.py     # by itself: a headset's pictures and poses come in real time
page=tests/app/inputs/web
tests="-q --assert=plain --showlocals"      # asserts are rewritten for values that are told where one fails, which takes longer than all else in reading the tests
at_once="-n 2 --dist loadfile --no-loadscope-reorder"
status=0
"$py" -m pytest $tests $at_once $(printf -- '--ignore=%s ' $windows) || status=$?
echo "Again without compilation, on the tests marked nojit"
marked=$(grep -rl --include='test_*.py' nojit tests)     # to read the other files takes longer than these tests
LINKWORK_NOJIT=1 "$py" -m pytest $tests $at_once -m nojit $marked || status=$?
echo "The window"
if [ ${#display[@]} -gt 0 ]; then     # a virtual display for each worker
  env -u WAYLAND_DISPLAY QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 LINKWORK_DISPLAYS=each "$py" -m pytest $tests $at_once --ignore=$browser --ignore=$page $windows || status=$?
else
  "$py" -m pytest $tests --ignore=$browser --ignore=$page $windows || status=$?
fi
echo "The page for headsets and phones"
if command -v node >/dev/null; then
  "$py" -m pytest -q $page || status=$?
else
  echo "There is no node: tests of the page's modules are left out."
fi
(ready_browser) || true
if "$py" -m tests.app.inputs.chromium; then     # in a browser, with an emulated headset
  "$py" -m pytest -q $browser || status=$?
else
  echo "Tests of the page in a browser are left out."
fi
exit $status

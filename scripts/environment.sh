# Sourced by linkwork.sh and test.sh: makes the machine ready (system packages, virtual environment, Python packages).
# Needs: $root (the checkout). Offers: ready_system PACKAGE_GROUP..., ready_python EXTRA [KERNELS], finish_system, to be called in this order; sets $py to
# the environment's Python. Packages that Python itself does not need are installed while pip downloads: a third less time on an empty machine. So are kernels compiled.

APP_PACKAGES="libegl1 libgl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 fonts-dejavu-core"
PYTHON_PACKAGES="python3 python3-venv ca-certificates"
COMPILING_PACKAGES="numpy numba llvmlite platformdirs"     # of Python: with these alone kernels can be compiled
TEST_PACKAGES="xvfb xauth"
BROWSER_PACKAGES="chromium"     # where it is a package of the system's own, and npm is there, which fetches the headset that is emulated in it
APP_LIBRARIES="libEGL.so.1 libGL.so.1 libglib-2.0.so.0 libdbus-1.so.3 libfontconfig.so.1 libxkbcommon-x11.so.0 libxcb-cursor.so.0 libxcb-icccm.so.4 libxcb-keysyms.so.1 libxcb-shape.so.0"

have_libraries() {   # true when the dynamic linker knows every library named
  local known library
  known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null || true)
  for library in "$@"; do
    case $known in *"$library"*) ;; *) return 1 ;; esac   # no pipe into grep -q: with pipefail its early exit reads as failure
  done
}

have_python() { "${PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null; }

wants_browser() {   # true on Debian (elsewhere the package is a stub for another installer) with npm and without a Chromium
  grep -qs '^ID=debian' /etc/os-release && command -v npm >/dev/null && ! command -v chromium >/dev/null
}

apt_install() {   # apt_install PREFIX PACKAGE...: with sudo as the prefix, or ''
  local as_root=$1 name list=""
  shift
  for name in "$@"; do   # Ubuntu 24.04 renamed a few libraries (time_t transition)
    if apt-cache show "$name" >/dev/null 2>&1; then list="$list $name"; else list="$list ${name}t64"; fi
  done
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $list >/dev/null
}

install_packages() {   # install_packages "WHAT PYTHON NEEDS" "THE REST": the rest goes on in the background; finish_system waits for it
  local as_root=""
  if ! command -v apt-get >/dev/null; then
    echo "This system has no apt-get. Please install the equivalents of: $1 $2" >&2
    exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || { echo "Missing system packages: $1 $2. Install them as root, then run this again." >&2; exit 1; }
  fi
  echo "Installing system packages:" $1 $2 >&2
  $as_root apt-get update -qq
  [ -z "$1" ] || apt_install "$as_root" $1
  [ -z "$2" ] || { apt_install "$as_root" $2 & packages_job=$!; }
}

ready_system() {   # ready_system app [test]; pip may work meanwhile: finish_system before the packages are used
  packages_job=""
  [ "$(uname -s)" = Linux ] || return 0
  local first="" rest="" group
  have_python || first=$PYTHON_PACKAGES
  for group in "$@"; do
    case $group in
      app) have_libraries $APP_LIBRARIES || rest="$rest $APP_PACKAGES" ;;
      test) command -v xvfb-run >/dev/null && command -v xauth >/dev/null || rest="$rest $TEST_PACKAGES" ;;
    esac
  done
  [ -z "$first$rest" ] || install_packages "$first" "$rest"
}

ready_browser() {   # where it can be had: what needs it is skipped elsewhere
  ! wants_browser || install_packages "$BROWSER_PACKAGES" "" || echo "There is no $BROWSER_PACKAGES: tests of the page in a browser are skipped." >&2
}

finish_system() {   # the packages are there, or this ends
  [ -z "$packages_job" ] || wait "$packages_job" || { echo "The system packages could not be installed." >&2; exit 1; }
  packages_job=""
}

compiling_packages() {   # as pyproject.toml wants them
  sed -nE "s/^ *\"((${COMPILING_PACKAGES// /|})[^\"]*)\",?\$/\1/p" "$root/pyproject.toml"
}

ready_python() {   # ready_python "" | "[test]" [KERNELS]: Python that compiles kernels while the rest is downloaded, as ensure_kernels will find them
  local extra=$1 kernels=${2:-import physics; physics.ensure_kernels()} base=${PYTHON:-python3} stamp pip
  "$base" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Linkwork needs Python 3.11 or newer; '$base' is older. Set PYTHON=/path/to/python3.11 and run this again." >&2
    exit 1
  }
  py="$root/.venv/bin/python"
  kernels_job=""
  stamp="$root/.venv/.ready-$(printf '%s' "$extra" "$root" | cat - "$root/pyproject.toml" | cksum | cut -d' ' -f1)"
  [ -e "$stamp" ] && return 0
  [ -x "$py" ] || "$base" -m venv "$root/.venv"
  echo "Installing Python packages into .venv (once; a minute or two)" >&2
  pip="-m pip install -q --disable-pip-version-check ${extra:+--no-compile}"     # for tests bytecode is made of what is imported, when it is: a small part of what there is
  "$py" $pip $(compiling_packages)
  (cd "$root" && exec nice "$py" -c "$kernels") >/dev/null 2>&1 &      # who needs them meanwhile shares the work, and says what is wrong
  kernels_job=$!
  "$py" $pip -e "$root$extra"
  touch "$stamp"
}

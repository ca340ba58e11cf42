#!/usr/bin/env bash
# From ./linkwork.sh in a bare Debian 12 to the moving humanoid: benchmarks/bare_root.sh [FOLDER]. Prints one line of JSON with the shares.
#
# Makes (once) a minimal Debian in FOLDER/base, copies it, puts a clean clone of this checkout in it, and starts ./linkwork.sh there by chroot: no
# Python, no packages, no kernel cache. The display is an Xvfb outside with software GL. apt, pip and certificates are those that this machine has
# been set up with, so the shares of apt and pip are those of its network. Motion is what benchmarks/first_motion.py says it is.
# Needs root, git, debootstrap, Xvfb and the network; about 3 GB. The tests do not run it.
set -euo pipefail
checkout=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
folder=${1:-$(mktemp -d /tmp/bare.XXXXXX)}
suite=bookworm   # from debootstrap's own mirror, or MIRROR
[ "$(id -u)" = 0 ] || { echo "benchmarks/bare_root.sh needs root (chroot, mount)" >&2; exit 2; }
for tool in debootstrap git Xvfb; do
  command -v $tool >/dev/null || { echo "benchmarks/bare_root.sh needs $tool" >&2; exit 2; }
done
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
root=$folder/root
[ -e "$folder/base/.whole" ] || { debootstrap --variant=minbase $suite "$folder/base" ${MIRROR:+"$MIRROR"} >"$folder/debootstrap.log"; touch "$folder/base/.whole"; }

server=""
clear_up() {
  local place
  for place in tmp/.X11-unix dev/pts dev sys proc; do ! mountpoint -q "$root/$place" || umount -l "$root/$place"; done
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
}
trap clear_up EXIT
clear_up
rm -rf --one-file-system "$root"
cp -a "$folder/base" "$root"

# what this machine knows of its network
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/hosts "$root/etc/hosts"
grep -rl '^Acquire' /etc/apt/apt.conf.d | xargs -r cp -t "$root/etc/apt/apt.conf.d"
mkdir -p "$root/measure" "$root/usr/local/share/ca-certificates"
[ ! -d /usr/local/share/ca-certificates ] || cp -a /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"
[ ! -e /etc/ssl/certs/ca-certificates.crt ] || cp /etc/ssl/certs/ca-certificates.crt "$root/measure/ca.crt"

git clone -q --no-hardlinks "$checkout" "$root/linkwork"
cp "$checkout/benchmarks/bare_root_hook.py" "$root/measure/sitecustomize.py"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount --bind /dev "$root/dev"
[ ! -d /dev/pts ] || mount --bind /dev/pts "$root/dev/pts"
mkdir -p "$root/tmp/.X11-unix" /tmp/.X11-unix
mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"

number=150
while [ -e "/tmp/.X$number-lock" ]; do number=$((number + 1)); done
Xvfb ":$number" -screen 0 1600x1000x24 +extension GLX -ac >/dev/null 2>&1 &
server=$!
for _ in $(seq 100); do [ -e "/tmp/.X11-unix/X$number" ] && break; sleep 0.1; done

begun=$(date +%s.%N)
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DISPLAY=":$number" QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 \
  PIP_CERT=/measure/ca.crt PYTHONPATH=/measure MEASURE_BEGUN="$begun" \
  ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
  chroot "$root" /linkwork/linkwork.sh >"$root/measure/out" 2>"$root/measure/err" || { cat "$root/measure/err" >&2; exit 1; }
python3 "$checkout/benchmarks/bare_root_shares.py" "$root/measure"

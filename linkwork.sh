#!/usr/bin/env bash
# Opens Linkwork on a bundled model, or on what is named: ./linkwork.sh path/to/model.xml
# Other commands pass through: ./linkwork.sh check model.xml, ./linkwork.sh render model.xml -o out.png
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
. "$root/scripts/environment.sh"
ready_system app
ready_python ""
finish_system
exec "$py" -m app.main "$@"

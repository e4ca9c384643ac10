# Shared by the scripts beside it, which source it from the top of the checkout.

say() { printf '==> %s\n' "$*"; }

die() {
    printf '%s: error: %s\n' "$0" "$*" >&2
    exit 1
}

# packages SECTION...: the names under these sections of tools/packages.txt.
packages() {
    local line name='' section='' wanted=" $* "
    while read -r name line; do
        case $name in
        '['*']') section=${name//[][]/} ;;
        [a-z]*) [[ $wanted != *" $section "* ]] || echo "$name" ;;
        esac
    done <tools/packages.txt
}

# Every installed package, and every name that one provides (a vendor's nodejs may bring npm).
installed() {
    dpkg-query -W -f '${db:Status-Status} ${Package},${Provides}\n' |
        sed -n 's/^installed //p' | tr ',' '\n' | sed 's/(.*//; s/ //g'
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "installing needs root; as root run: apt-get install ${missing[*]}"
    fi
}

# install_packages SECTION...: installs what is missing of them, and nothing when nothing is.
install_packages() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
        die "this system has no apt-get. Install what Debian calls" $(packages "$@") \
            "and then: meson setup build && ninja -C build && meson test -C build"
    mapfile -t missing < <(grep -vxF -f <(installed) <(packages "$@"))
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing ${missing[*]}"
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
    as_root "${apt[@]}" update
    as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null
}

# build FOLDER OPTION...: configures it with these options the first time, and builds $targets, or all there is.
build() {
    local folder=$1
    shift
    say "building $folder"
    [ -f "$folder/build.ninja" ] || meson setup "$folder" "$@" >/dev/null ||
        die "meson could not configure $folder; see $folder/meson-logs/meson-log.txt"
    ninja -C "$folder" --quiet ${targets-}
}

#!/bin/sh
# The command `pbem` for whoever looks after the server: run as the user pbem, for its arena. As root it would leave
# files behind that the daemon cannot write to.
export HOME=/var/lib/pbem PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
umask 077
cd "$HOME" || exit 75
set -- /opt/pbem/bin/pbem --arena /var/lib/pbem/arena "$@"
if [ "$(id -un)" = pbem ]; then
    exec "$@"
fi
exec runuser -u pbem -- "$@"

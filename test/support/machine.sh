#!/bin/sh
# A throwaway machine: this Debian with its own systemd, processes and (only loopback) network. What is written goes to memory.
# machine.sh try FOLDER: whether this system permits one. machine.sh boot FOLDER: runs until it is killed.
set -e
base=$2
root=$base/root
mount -t tmpfs tmpfs "$base"
mkdir "$base/upper" "$base/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$base/upper,workdir=$base/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
[ "$1" = boot ] || exit 0
for place in run tmp dev; do mount -t tmpfs tmpfs "$root/$place"; done
while read -r name major minor; do mknod -m 666 "$root/dev/$name" c "$major" "$minor"; done <<'END'
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
END
mkdir "$root/dev/shm" "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ip link set lo up 2>/dev/null || true
# Nothing of the machine outside starts in it.
rm -rf "$root"/etc/systemd/system/*
printf '[Unit]\nDescription=a machine for tests\nAllowIsolate=yes\n' >"$root/etc/systemd/system/machine.target"
# Nor does a policy of the outside keep services from starting.
rm -f "$root/usr/sbin/policy-rc.d"
# A root of its own, and not only a changed one: namespaces of users are refused in a chroot.
cd "$root"
mkdir -p mnt/outside
pivot_root . mnt/outside
umount -l /mnt/outside
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=other \
  /lib/systemd/systemd --system --unit=machine.target --log-target=null </dev/null >/dev/null 2>&1

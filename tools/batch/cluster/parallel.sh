#!/bin/bash
# Shards over machines by GNU parallel and ssh; inputs and the folder of outputs are on a file system that all of them
# see under the same paths:
#   parallel.sh HOST,HOST,... SHARDS DIR INPUT... [options of eigenrig batch]
# A host is as for parallel --sshlogin; ":" is this machine. Each works on one shard at a time, with all its cores. A
# shard whose machine fails is tried again, elsewhere; run the same words again after an interruption.
# $EIGENRIG names the program where it is not in $PATH of the machines.
hosts=$1 shards=$2 output=$3
shift 3
program=${EIGENRIG:-eigenrig}
# A shard with models that failed is done all the same: the merge tells what is missing.
parallel --sshlogin "$hosts" --jobs 1 --workdir "$PWD" --retries 3 --quote \
    "$program" batch "$@" -o "$output" --shard "{}/$shards" --resume --quiet ::: $(seq "$shards")
exec "$program" batch --merge "$output" -o "$output"

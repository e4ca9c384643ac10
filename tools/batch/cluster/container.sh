#!/bin/sh
# One shard a container, told by the index that a job service gives it (Kubernetes, AWS Batch, Google Cloud Run; SHARD,
# from 0, anywhere else). SHARDS is how many there are:
#   SHARDS=8 container.sh INPUT... -o DIR [options of eigenrig batch]
# DIR outlives the container; it may be one for all shards, or one each: eigenrig batch --merge DIR... -o DIR joins them.
# $EIGENRIG names the program where it is not in $PATH.
index=${JOB_COMPLETION_INDEX:-${AWS_BATCH_JOB_ARRAY_INDEX:-${CLOUD_RUN_TASK_INDEX:-$SHARD}}}
: "${index:?is not set: JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX, CLOUD_RUN_TASK_INDEX or SHARD}"
: "${SHARDS:=${CLOUD_RUN_TASK_COUNT:?is not set: SHARDS, how many shards there are}}"
exec "${EIGENRIG:-eigenrig}" batch "$@" --shard "$((index + 1))/$SHARDS" --resume --quiet

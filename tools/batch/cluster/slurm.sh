#!/bin/bash
#SBATCH --job-name=eigenrig
#SBATCH --cpus-per-task=4
#SBATCH --requeue
#SBATCH --open-mode=append
# One shard a task of a Slurm array; the folder of outputs is on a file system that all nodes see:
#   sbatch --array=1-8 slurm.sh 8 INPUT... -o DIR [options of eigenrig batch]
#   sbatch --dependency=afterany:JOB --wrap 'eigenrig batch --merge DIR -o DIR'
# A task that was ended goes on where it was, if it is started again: sbatch --array=3,5 slurm.sh 8 ... (the same words).
# $EIGENRIG names the program where it is not in $PATH.
shards=$1
shift
exec "${EIGENRIG:-eigenrig}" batch "$@" --shard "${SLURM_ARRAY_TASK_ID:?is not set: start this by sbatch --array=1-N}/$shards" \
    --jobs "${SLURM_CPUS_PER_TASK:-1}" --resume --quiet

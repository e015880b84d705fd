/**
 * The owner of a deleted board whose rows are not removed yet. It is no agent's id, so that nobody sees the board
 * (access 3.2).
 */
export const removedOwner = 'removed'

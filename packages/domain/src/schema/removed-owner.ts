/**
 * The owner of a deleted board whose rows are not removed yet. It is not an agent's id, so nobody sees the board
 * (access 3.2).
 */
export const removedOwner = 'removed'

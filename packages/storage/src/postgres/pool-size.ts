/** Connections for reads, and the same number for units of work: a unit never waits for a read that waits for it. */
export const usualConnections = 8

/** The maximum number of connections that a node opens if it has so many for reads. */
export const connectionsOfNode = (reads = usualConnections): number => 2 * reads + 4

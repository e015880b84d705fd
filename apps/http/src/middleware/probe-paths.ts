/** The paths that load balancers and containers probe every few seconds, on a node and under any host name (access 13). */
export const probePaths: ReadonlySet<string> = new Set(['/health', '/ready'])

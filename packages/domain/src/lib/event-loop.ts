/** Yields to everything else that waits for the event loop. */
export const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

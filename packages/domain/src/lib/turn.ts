/** Lets everything else that waits have its turn of the event loop. */
export const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Delays creating something expensive in time and memory until its first use, and creates it only once. */
export function onFirstUse<Value>(make: () => Promise<Value>) {
  let making: Promise<Value> | undefined
  return {
    get: (): Promise<Value> => {
      making ??= make()
      return making
    },
    /** The result; undefined if it was never used. */
    existing: async (): Promise<Value | undefined> => making,
  }
}

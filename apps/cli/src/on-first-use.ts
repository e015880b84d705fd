/** Delays something that takes time and memory to make until it is first used; makes it once. */
export function onFirstUse<Value>(make: () => Promise<Value>) {
  let making: Promise<Value> | undefined
  return {
    get: (): Promise<Value> => {
      making ??= make()
      return making
    },
    /** The result; undefined if it was never used. */
    made: async (): Promise<Value | undefined> => making,
  }
}

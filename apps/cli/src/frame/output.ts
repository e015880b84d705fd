/** Prints a verb's single object for machines (exchange 3); on one line if each line is an object. */
export const printJson = (value: unknown, { oneLine = false }: { readonly oneLine?: boolean } = {}): void =>
  console.log(JSON.stringify(value, null, oneLine ? undefined : 2))

/** A size for people. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1_024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1_024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

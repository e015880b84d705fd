/** A version of semantic versioning without a build. */
const semantic = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.]+))?$/

/** Whether a version is later than another: by its numbers, and a release after its own candidates. */
export function isLater(version: string, present: string): boolean {
  const [one, other] = [parts(version), parts(present)]
  const differing = one.numbers.findIndex((number, index) => number !== other.numbers[index])
  if (differing !== -1) return one.numbers[differing]! > other.numbers[differing]!
  if (one.candidate === undefined || other.candidate === undefined)
    return one.candidate === undefined && other.candidate !== undefined
  return one.candidate.localeCompare(other.candidate, 'en', { numeric: true }) > 0
}

function parts(version: string) {
  const found = semantic.exec(version)
  if (found === null) throw new Error(`${version} is no version such as 1.2.3 or 1.2.3-rc.1.`)
  return { numbers: found.slice(1, 4).map(Number), candidate: found[4] }
}

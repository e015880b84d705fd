const unreleased = '## [Unreleased]'

/** The text of a section of the changelog, without its heading; undefined if there is no such section. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const [, after] = changelog.split(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\].*$`, 'm'))
  if (after === undefined) return undefined
  const [section = ''] = after.split(/^## \[/m)
  return section.trim()
}

/**
 * The changelog with its unreleased section turned into a version.
 * @throws Error when there are no unreleased changes, or the version exists already
 */
export function withRelease(changelog: string, version: string, date: string): string {
  if (sectionOf(changelog, version) !== undefined) throw new Error(`CHANGELOG.md has ${version} already.`)
  if (!sectionOf(changelog, 'Unreleased')) throw new Error('CHANGELOG.md says nothing under [Unreleased].')
  return changelog.replace(unreleased, () => `${unreleased}\n\n## [${version}] - ${date}`)
}

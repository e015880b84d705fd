import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { sectionOf, withRelease } from '../../../tools/release/changelog.ts'
import { isLater } from '../../../tools/release/version.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test.each([
  ['1.0.0', '0.2.0', true],
  ['0.2.1', '0.2.0', true],
  ['0.10.0', '0.9.9', true],
  ['1.0.0', '1.0.0', false],
  ['0.9.0', '1.0.0', false],
  ['1.0.0', '1.0.0-rc.1', true],
  ['1.0.0-rc.1', '1.0.0', false],
  ['1.0.0-rc.10', '1.0.0-rc.9', true],
])('%s is later than %s: %s', (version, present, expected) => {
  expect(isLater(version, present)).toBe(expected)
})

test.each(['1.0', 'v1.0.0', '1.0.0 ', 'latest'])('%j is no version', text => {
  expect(() => isLater(text, '0.1.0')).toThrow('no version')
})

describe('the changelog', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n'

  test('has what was unreleased under the version, and room for what follows', () => {
    const dated = withRelease(changelog, '0.2.0', '2026-02-02')
    expect(dated).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-02-02\n\n### Added')
    expect([sectionOf(dated, 'Unreleased'), sectionOf(dated, '0.2.0'), sectionOf(dated, '0.1.0')]).toEqual([
      '',
      '### Added\n\n- One.',
      '- First.',
    ])
  })

  test('has no version twice and none that says nothing', () => {
    expect(() => withRelease(changelog, '0.1.0', '2026-02-02')).toThrow('already')
    expect(() => withRelease('## [Unreleased]\n\n## [0.1.0]\n', '0.2.0', '2026-02-02')).toThrow('nothing')
  })
})

test.each(['.github/workflows/ci.yml', '.github/workflows/release.yml', '.forgejo/workflows/ci.yml', '.gitlab-ci.yml'])(
  '%s runs only scripts of the project',
  file => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const commands = Array.from(
      readFileSync(join(root, file), 'utf8').matchAll(/^ *- (?:run: )?((?:npx|\.ci|pnpm)[^\n]*)$/gm),
      ([, command]) => command!,
    )
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) {
      const [, script] = /^npx -y pnpm@12 (?:run )?([\w:]+)$/.exec(command) ?? []
      expect(script === undefined ? existsSync(join(root, command)) : script in scripts, command).toBe(true)
    }
  },
)

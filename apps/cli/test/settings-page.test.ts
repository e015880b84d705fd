import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { flagOf, variableOf } from '../src/setting-sources.ts'
import { settingTable } from '../src/setting-table.ts'
import { settingNames } from '../src/settings.ts'

const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')
const rows = new Map(
  Array.from(page.matchAll(/^\| `(SPECBOARD_\w+)` \| ([^|]*)\|/gm), ([, variable, flag]) => [variable!, flag!]),
)

test.each(settingNames)('docs/settings.md has %s with its flag', name => {
  expect(rows.get(variableOf(name))?.trim()).toBe(settingTable[name].secret ? '' : `\`--${flagOf(name)}\``)
})

test('and no setting that there is not', () => {
  expect([...rows.keys()].toSorted()).toEqual(settingNames.map(variableOf).toSorted())
})

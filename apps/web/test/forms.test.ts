import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const sources = join(import.meta.dirname, '../src')

/** Forms without the mechanism: those that it is made of, those that use its hook, and those with nothing to lose. */
const others = [
  ...['components/form.tsx', 'components/text-form.tsx', 'components/choice-form.tsx', 'components/edited-text.tsx'],
  'pages/board/quick-add.tsx',
  // A single word or choice, or a search term.
  ...['components/chips-field.tsx', 'pages/board/selection-bar.tsx', 'pages/card/dependencies.tsx'],
  'pages/knowledge/search.tsx',
  // The visitor's own name, before there is a session in which to keep it.
  'pages/sign-in/invite.tsx',
  // Choices for a client that waits only minutes.
  'pages/connect/page.tsx',
  // Keeps its draft itself.
  'pages/card/composer.tsx',
]

test('what is typed into any form is kept until it is sent', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).map(name => name.replaceAll('\\', '/'))
  const forms = files.filter(name => name.endsWith('.tsx') && /<form\b/.test(readFileSync(join(sources, name), 'utf8')))
  expect(forms.toSorted()).toEqual(others.toSorted())
})

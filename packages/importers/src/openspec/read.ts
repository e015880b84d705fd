/** Reads an OpenSpec project (imports 5). */
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import type { File } from '../files.ts'
import { linesOf } from '../markdown.ts'
import { guideline, spec } from '../records.ts'
import { readChange } from './change.ts'
import type { Capability, Project } from './folder.ts'
import { specFileIn } from './requirements.ts'
import { testScenarios } from './scenarios.ts'
import { reportEmpty, reportStrayScenarios } from './unused-parts.ts'

/** Reads a project. */
export function* readOpenSpec({ rules, capabilities, changes }: Project, collected: Collection): InPieces<void> {
  for (const file of rules) readRules(file, collected)
  for (const capability of capabilities) {
    readCapability(capability, collected)
    yield
  }
  for (const change of changes) {
    yield* readChange(change, collected)
    yield
  }
}

/** Reads the rules that apply to all changes of the project. */
function readRules({ path, entry }: File, collected: Collection): void {
  const text = collected.textOf(entry)
  reportEmpty(entry, collected)
  if (text === null || text.trim() === '') return
  const heading = linesOf(text).find(line => line.startsWith('# '))
  const title = path === 'project.md' ? heading?.slice(2).trim() || 'Project' : `OpenSpec ${path}`
  collected.add(guideline({ id: path, place: { entry: entry.name, line: 1 }, title, content: text }))
}

/** Reads the spec of existing behaviour: its status is done, because changes are the open work. */
function readCapability({ name, entry }: Capability, collected: Collection): void {
  const text = collected.textOf(entry)
  if (text === null) return
  const file = specFileIn(linesOf(text))
  const { title, description, requirements } = file
  const place = { entry: entry.name, line: 1 }
  const id = collected.freeId(`specs/${name}`, { place, kind: 'spec' })
  collected.add(
    spec({
      id,
      place,
      title: title ?? name,
      status: 'done',
      description,
      functional_requirements: requirements.map(requirement => requirement.text),
      test_scenarios: testScenarios(requirements),
    }),
  )
  reportStrayScenarios(file, entry, collected)
  if (requirements.length === 0)
    collected.notRead(
      { place, kind: 'spec', id },
      'It has no heading "### Requirement: …"; its text is the description.',
    )
}

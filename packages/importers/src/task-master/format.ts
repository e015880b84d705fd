import { nameOf } from '../files.ts'
import type { Fit, Format, Miss } from '../format.ts'
import { faultyLine, type JsonDocument, jsonIn } from '../json.ts'
import type { Entry } from '../neutral.ts'
import { readTaskMaster } from './read.ts'
import { type TaskFile, taggedFile } from './tags.ts'

/** The current and former locations of Task Master's tasks. */
const knownPath = /(?:^|\/)(?:\.taskmaster\/)?tasks\/tasks\.json$/

export const taskMaster: Format = {
  looksFor: 'tasks.json with lists of tasks that have id and title, such as .taskmaster/tasks/tasks.json',
  look({ entries }) {
    const looked = entries.filter(mayHaveTasks).map(entry => ({ entry, document: jsonIn(entry.text ?? '') }))
    const files = looked.flatMap(({ entry, document }) => {
      const tagged = document && taggedFile(document)
      return document !== undefined && tagged !== undefined ? [{ entry, document, tagged }] : []
    })
    if (files.length === 0) return looked.map(missOf)
    return best(files).map(file => fitOf(file, entries))
  },
}

const mayHaveTasks = ({ name, text }: Entry): boolean =>
  text !== null &&
  (name === null || nameOf(name) === 'tasks.json') &&
  text.trimStart().startsWith('{') &&
  text.includes('"tasks"')

/** Files at a known location take precedence; of files with the same tasks, the first. */
function best(files: readonly TaskFile[]): TaskFile[] {
  const preferred = files.filter(({ entry }) => entry.name === null || knownPath.test(entry.name))
  const byTasks = Map.groupBy(preferred.length > 0 ? preferred : files, ({ tagged }) => JSON.stringify(tagged))
  return [...byTasks.values()].map(([first]) => first!)
}

function fitOf(file: TaskFile, entries: readonly Entry[]): Fit {
  const { tags } = file.tagged
  const tasks = tags.reduce((sum, tag) => sum + tag.tasks.length, 0)
  return {
    verdict: 'sure',
    at: file.entry.name,
    reason: `${tasks} tasks in ${tags.map(({ name }) => name).join(', ')}`,
    read: collected => readTaskMaster(file, entries, collected),
  }
}

function missOf({ entry, document }: { entry: Entry; document: JsonDocument | undefined }): Miss {
  const { name: at, text } = entry
  if (document === undefined) return { verdict: 'no', at, line: faultyLine(text ?? ''), reason: 'it is not JSON' }
  const reason = 'no list in it has a task with id and title (other tools have a tasks.json too)'
  return { verdict: 'no', at, reason }
}

import { boardNameOf } from '../files.ts'
import type { Format } from '../format.ts'
import { projectIn } from './folder.ts'
import { readSpecKit } from './read.ts'

export const specKit: Format = {
  looksFor: 'folders specs/NNN-name with spec.md or tasks.md, or .specify/memory/constitution.md',
  look(source) {
    const project = projectIn(source)
    if (project === undefined) return []
    return [
      {
        verdict: 'sure',
        at: project.root === '' ? null : project.root,
        reason: `${project.features.length} folders of specs`,
        *read(collected, options) {
          yield* readSpecKit(project, collected, options)
          return boardNameOf(source, project.root, 'Spec Kit')
        },
      },
    ]
  },
}

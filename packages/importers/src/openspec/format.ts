import { boardNameOf } from '../files.ts'
import type { Format } from '../format.ts'
import { projectsIn } from './folder.ts'
import { readOpenSpec } from './read.ts'

export const openSpec: Format = {
  looksFor: 'a folder openspec with specs/NAME/spec.md or changes/NAME/proposal.md',
  look: source =>
    projectsIn(source).map(project => ({
      verdict: 'sure',
      at: project.root === '' ? null : project.root,
      reason: `${project.capabilities.length} specs and ${project.changes.length} changes`,
      *read(collected) {
        yield* readOpenSpec(project, collected)
        return boardNameOf(source, project.root, 'OpenSpec')
      },
    })),
}

import type { Fit, Format, Miss } from '../format.ts'
import type { Source } from '../neutral.ts'
import { backlogFolders } from './folder.ts'
import { readBacklog } from './read.ts'

export const backlogMd: Format = {
  looksFor: 'a folder backlog with tasks/*.md (or completed, drafts, archive) whose heads have an id',
  look(source) {
    const folders = backlogFolders(source)
    if (folders.length === 0) return nearIn(source)
    return folders.map(
      (folder): Fit => ({
        verdict: 'sure',
        at: folder.root === '' ? null : folder.root,
        reason: `${folder.tasks} tasks in Markdown`,
        read: collected => readBacklog(folder, collected),
      }),
    )
  },
}

function nearIn({ entries }: Source): Miss[] {
  const near = entries.find(({ name }) => name !== null && /(?:^|\/)(?:tasks|completed|drafts)\/[^/]*\.md$/i.test(name))
  const reason = 'it has no head (---) with an id, as tasks of Backlog.md have'
  return near === undefined ? [] : [{ verdict: 'no', at: near.name, reason }]
}

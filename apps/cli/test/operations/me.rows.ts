import type { Rows } from './row.ts'

export const me: Rows<'me'> = {
  get_my_permissions: { args: scene => ({ board_id: scene.boardId }) },
  dismiss_inbox_items: { args: () => ({ ids: ['answer:none'] }) },
  snooze_inbox_items: {
    args: async scene => ({ ids: [`spec_review:${await scene.spec('review')}`], until_change: true }),
  },
  mark_inbox_items: { args: async scene => ({ ids: [`spec_review:${await scene.spec('review')}`] }) },
  list_my_inbox: {
    args: async scene => {
      await scene.spec('review')
      return { board_id: scene.boardId, kind: 'spec_review,question', limit: 2 }
    },
  },
  stream_my_events: { args: scene => ({ board_id: scene.boardId }) },
}

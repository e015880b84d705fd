import type { Rows } from './row.ts'

export const attachments: Rows<'attachments'> = {
  upload_attachment: {
    args: async scene => ({
      board_id: scene.boardId,
      card_id: await scene.card(),
      file: new File(['bytes'], 'notes.txt', { type: 'text/plain' }),
    }),
  },
  download_attachment: { args: scene => scene.attachment() },
  delete_attachment: { args: scene => scene.attachment() },
}

import type { Rows } from './row.ts'

export const exchange: Rows<'exchange'> = {
  export_board: { args: ({ boardId }) => ({ board_id: boardId }) },
  import_board: {
    args: () => ({ file: new File(['title,status\nWrite it down,Done\n'], 'plan.csv', { type: 'text/csv' }) }),
    permissionTestedBy:
      'exchange.test.ts: import_board asks for BOARDS_IMPORT, and for BOARDS_CREATE where it makes a board',
  },
}

/**
 * Recomputes the analytics of a real board from its records, which it reads one by one through the typed client, and
 * compares every answer: of the board, of each record, of every page of the lists, and of the exports. The board is an
 * imported backlog that has been worked on for a while, or one of a running server.
 */
import { createClient } from '@specboard/client'
import { backdate } from '../../../apps/cli/test/analytics/backdate.ts'
import { checkBoard } from '../../../apps/cli/test/analytics/board.ts'
import { comparing } from '../../../apps/cli/test/analytics/compare.ts'
import { dice, drawUse } from '../../../apps/cli/test/analytics/drawn-use.ts'
import { sampleBacklog } from '../data/backlog.ts'
import { importBacklog } from '../data/imported-backlog.ts'
import { scenario } from '../harness/scenario.ts'

export default scenario({
  summary: 'every figure of the analytics of a real board agrees with its records',
  engines: ['sqlite', 'postgres'],
  options: { file: sampleBacklog, url: '', key: process.env.SPECBOARD_API_KEY ?? '', board: '', seed: 7 },
  word: 'file',
  run: async (lab, { file, url, key, board, seed }) => {
    const isThere = url !== '' && board !== ''
    const client = isThere ? createClient({ url, key }) : (await lab.start()).client
    const board_id = isThere ? board : (await importBacklog(client, file)).boardId
    if (!isThere) {
      await drawUse(client, board_id, dice(seed))
      await backdate(lab.place())
    }
    const { compared, differences } = await comparing(() => checkBoard(client, board_id))
    for (const difference of differences) lab.report.say(difference)
    lab.report.figure('answers', { compared, differing: differences.length })
    lab.report.expect(differences.length === 0, `${differences.length} of ${compared} answers differ from the records`)
  },
})

import { features } from '@specboard/contract'
import { adviceOn } from './insight/board-advice.ts'
import { diffRecord } from './insight/differences/operations.ts'
import { searchRecords } from './insight/search/operations.ts'
import { readText } from './insight/texts/read-text.ts'
import { implement } from './kernel/implement.ts'
import { getAllowedMoves } from './next-actions/allowed-moves.ts'
import * as visibility from './visibility.ts'
import { listImportedNames, putImportedName } from './workspace/boards/imported-names/operations.ts'
import { listBoardMembers } from './workspace/boards/members.ts'
import { getBoardOverview } from './workspace/boards/overview.ts'

/** Operations for people's pages and disoriented agents, from several rooms. */
export const boardOperations = implement(features.board, {
  get_allowed_moves: getAllowedMoves(visibility),
  search_records: searchRecords,
  get_board_overview: getBoardOverview(adviceOn),
  list_board_members: listBoardMembers,
  diff_record: diffRecord,
  list_imported_names: listImportedNames,
  put_imported_name: putImportedName,
  read_text: readText((ctx, id) => visibility.ownVisibility.guideline_id!(ctx, id, features.guidelines.get_guideline)),
})

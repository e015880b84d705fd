import { features } from '@specboard/contract'
import { implement } from '../kernel/implement.ts'
import { exportBoard } from './archive/export.ts'
import { importBoard } from './import/import.ts'

export const exchangeOperations = implement(features.exchange, {
  export_board: exportBoard,
  import_board: importBoard,
})

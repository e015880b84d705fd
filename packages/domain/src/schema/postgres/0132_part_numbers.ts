import { partNumbers } from '../migrations/0132_part_numbers.ts'
import { statements } from './statements.ts'

export const migration = statements(partNumbers)

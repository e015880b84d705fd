import { readFileSync } from 'node:fs'
import type { Line, Tables } from './differences.ts'

const folder = new URL('../../docs/contract/', import.meta.url)

function lines(file: string): Line[] {
  const rows = readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n').slice(1)
  return rows.map(row => {
    const [feature = '', name = '', method = '', path = '', permission = ''] = row.split('\t')
    return { feature, name, method, path, permission }
  })
}

/** Reads the tables of the contract. */
export const readTables = (): Tables => ({ interface: lines('operations.tsv'), extensions: lines('extensions.tsv') })

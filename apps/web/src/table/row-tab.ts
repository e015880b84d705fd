import { createContext, useContext } from 'react'

/** Whether Tab reaches the controls of a row: only those of one row; arrow keys lead to the others. */
export const RowTab = createContext<0 | -1>(0)

export const useRowTab = (): 0 | -1 => useContext(RowTab)

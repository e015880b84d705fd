import { useLocation } from 'wouter'
import { kindOfFolder } from '../../address.ts'
import type { PlanKind } from '../../data/planning.ts'

/** The kind of record that the folder in the address stands for; the routes allow no other folders. */
export function usePlanKind(): PlanKind {
  const [location] = useLocation()
  const kind = kindOfFolder(location.split('/')[3] ?? '')
  if (kind === undefined) throw new Error(`No records are planned at ${location}.`)
  return kind
}

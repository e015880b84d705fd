import type { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'

/** A test report as it is read on its page. */
export type Report = Awaited<ReturnType<typeof client.getTestReport>>

/** The results of scenarios in a report. */
export type Mapping = NonNullable<Report['mapping']>

/** A notice that a list was truncated. */
export const TruncationNote = ({ count, total }: { readonly count: number; readonly total: number }) =>
  count < total && <p className="muted">{messages.report.first(count, total)}</p>

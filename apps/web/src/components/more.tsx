import { messages } from '../messages/messages.ts'

interface MoreProps {
  /** The paginated list. */
  readonly of: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  readonly label: string
  /** The number of items that follow, if known: shown in print. */
  readonly remaining?: number
}

/** A button that reads the next page of a list; nothing after the last page. */
export const More = ({ of: { hasNextPage, isFetchingNextPage, fetchNextPage }, label, remaining: left }: MoreProps) =>
  hasNextPage && (
    <div className="row">
      <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {label}
      </button>
      <span className="on-paper">{left === undefined ? messages.shell.moreFollow : messages.shell.leftOut(left)}</span>
    </div>
  )

interface MoreProps {
  /** The paginated list. */
  readonly of: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  readonly label: string
}

/** A button that reads the next page of a list; nothing after the last page. */
export const More = ({ of: { hasNextPage, isFetchingNextPage, fetchNextPage }, label }: MoreProps) =>
  hasNextPage && (
    <div className="row">
      <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {label}
      </button>
    </div>
  )

interface MoreProps {
  /** The list, read in pages. */
  readonly of: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  readonly label: string
}

/** Reads the next page of a list; nothing stands there after the last one. */
export const More = ({ of: { hasNextPage, isFetchingNextPage, fetchNextPage }, label }: MoreProps) =>
  hasNextPage && (
    <div className="row">
      <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {label}
      </button>
    </div>
  )

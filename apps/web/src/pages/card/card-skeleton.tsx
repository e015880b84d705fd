/** A placeholder for a card while it is read. */
export const CardSkeleton = ({ label }: { readonly label: string }) => (
  <div className="card-view" role="status">
    <span className="hidden">{label}</span>
    <div className="card-main card-skeleton" aria-hidden="true">
      <span className="skeleton title" />
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton short" />
    </div>
    <div className="card-side card-skeleton" aria-hidden="true">
      <span className="skeleton control" />
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton short" />
    </div>
  </div>
)

import { messages } from '../../messages/messages.ts'

/** A placeholder for the workers while they are read. */
export const NowSkeleton = () => (
  <div className="workers" aria-busy="true">
    <span className="hidden">{messages.shell.loading}</span>
    {[0, 1, 2].map(row => (
      <div key={row} className="worker" aria-hidden="true">
        <span className="avatar large agent worker-skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
    ))}
  </div>
)

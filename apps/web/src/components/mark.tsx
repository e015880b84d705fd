/** The logo. */
export const Mark = () => (
  <svg className="mark" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <rect width="20" height="20" rx="5.5" />
    <path d="M5.5 5v10M10 5v3.5M10 13.2l1.9 1.9 3.6-4.6" />
  </svg>
)

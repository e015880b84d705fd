/** The entity tags of an `If-Match` or `If-None-Match` header; undefined without one. */
export const tagsOf = (header: string | undefined): string[] | undefined =>
  header?.split(',').map(tag => tag.trim().replace(/^W\//, ''))

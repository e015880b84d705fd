import type { GuidePage } from './contents.ts'
import type { GuideSection } from './found.ts'
import type { Section } from './markdown.ts'

/** The sections of all pages as the search reads them, in the order of the pages. */
export const searchText = (pages: readonly { readonly page: GuidePage; readonly sections: readonly Section[] }[]) =>
  pages
    .flatMap(({ page, sections }) => sections.map(section => ({ page, section })))
    .map(
      ({ page, section }, id): GuideSection => ({
        id,
        address: `${page.path}#${section.anchor}`,
        page: page.title,
        heading: section.heading || page.title,
        text: section.text.replaceAll(/\s+/g, ' '),
      }),
    )

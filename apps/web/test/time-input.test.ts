import { expect, test } from 'vitest'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

const english = { label: 'From', save: 'Save', saved: 'Saved' }
const german = { label: 'Von', save: 'Speichern', saved: 'Gespeichert' }

describeInBrowser('a time', () => {
  const here = browsing()

  test.each([
    ['en-US', english, '8:00 PM', '19:30', '7:30 PM', 'Enter a time such as 7:30 PM.'],
    ['de-DE', german, '20:00', '7:30 pm', '19:30', 'Eine Uhrzeit wie 19:30 eingeben.'],
  ])(
    'is typed as %s writes it, or otherwise',
    async (locale, { label, save, saved }, initial, typed, formatted, fault) => {
      await here().world.ok('update_my_notifications', { quiet_hours: { from: '20:00', to: '07:00' } })
      const page = await here().open('/me/notifications', { locale })
      const field = page.getByRole('textbox', { name: label, exact: true })
      await expect.poll(() => field.inputValue()).toBe(initial)
      await field.fill('24:00')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByText(fault).waitFor()
      expect(await field.inputValue()).toBe('24:00')
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      expect(await seriousFindings(page)).toEqual([])
      await field.fill(typed)
      await page.keyboard.press('Tab')
      await page.getByRole('alert').getByText(fault).waitFor({ state: 'detached' })
      expect(await field.inputValue()).toBe(formatted)
      await page.getByRole('button', { name: save, exact: true }).click()
      await page.getByText(saved).first().waitFor()
      const { quiet_hours } = await here().world.ok('get_my_notifications', {})
      expect(quiet_hours).toMatchObject({ from: '19:30', to: '07:00' })
    },
  )
})

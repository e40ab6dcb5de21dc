/** What `build.js` puts into the browser bundle. */
declare module 'virtual:assets' {
  export const version: string
  export const schema: string
  export const worlds: Readonly<Record<string, object>>
}

// Served as /node_modules/lit-html/ (panel.routes.ts): in a browser a path cannot leave the root.

export { repeat } from '../../../node_modules/lit-html/directives/repeat.js'
export { html, nothing, render } from '../../../node_modules/lit-html/lit-html.js'

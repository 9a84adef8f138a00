// without the fonts of the default theme: the reader's own are used, and nothing has to be loaded for them
export { default } from 'vitepress/theme-without-fonts';

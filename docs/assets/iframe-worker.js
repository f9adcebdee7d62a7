// Browsers start no worker of a page that is opened from disk, and the search of this site is one. There its script
// runs in a hidden frame, which is asked and answers as a worker does. The search index comes with the page
// (search/search_index.js), since such a page may not fetch it either.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.document.open();
      // Within a frame, postMessage and importScripts are to be those of a worker.
      inside.document.write(`<script>
        postMessage = (data) => parent.postMessage(data, "*");
        importScripts = async (...urls) => {
          for (const url of urls) {
            await new Promise((loaded) => {
              const script = Object.assign(document.createElement("script"), { src: url, onload: loaded });
              document.head.append(script);
            });
          }
        };
      </script><script src="${url}"></script>`);
      inside.document.close();
      this.loaded = new Promise((loaded) => inside.addEventListener("load", loaded));
      addEventListener("message", ({ source, data }) => {
        if (source === inside) {
          const told = new MessageEvent("message", { data });
          this.dispatchEvent(told);
          this.onmessage?.(told);
        }
      });
    }

    async postMessage(data) {
      await this.loaded;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
